/**
 * Returns what `changelog` (in the form of Keep a Changelog) says of `version`, without its heading and without blank
 * lines around it. Throws when it says nothing.
 */
export function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.startsWith(`[${version}]`));
  const text = found
    ?.replace(/^.*\n/, "")
    // Link targets belong to the whole file.
    .replace(/^\[[^\]]+\]: .*$/gm, "")
    .trim();
  if (!text) throw new Error(`CHANGELOG.md says nothing of [${version}].`);
  return text;
}
