import { numberAt, stringAt, type JsonObject } from "../json.ts";

/** What a string of a well-known format looks like. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-11-17",
  time: "14:30:00Z",
  "date-time": "2026-11-17T14:30:00Z",
  duration: "PT1H30M",
  email: "jo@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.7",
  ipv6: "2001:db8::7",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  "uri-reference": "/a/b",
  uuid: "3f2c1a9e-8b7d-4c6e-9f10-2a3b4c5d6e7f",
  regex: "^a+$",
  "json-pointer": "/a/0",
  byte: "U2x1aWNl",
};

/** Something readable by the property's name. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/city|town|place|location/i, "Łódź"],
  [/country/i, "France"],
  [/time_?zone|^tz$/i, "Europe/Paris"],
  [/date|day/i, "2026-11-17"],
  [/url|link/i, "https://example.com/a"],
  [/mail/i, "jo@example.com"],
  [/path|file/i, "notes/été.md"],
  [/query|question|search|text|prompt/i, "how does a sluice work?"],
  [/name|title/i, "Zoë"],
];

/** A string that fits the schema's format and length, in characters. */
export function stringFor(schema: JsonObject, name: string): string {
  const format = FORMATS[stringAt(schema, "format") ?? ""];
  const text = format ?? NAMED.find(([pattern]) => pattern.test(name))?.[1] ?? "a sluice";
  const least = numberAt(schema, "minLength") ?? 0;
  const most = numberAt(schema, "maxLength") ?? Infinity;
  const characters = Array.from(text);
  while (characters.length < least) characters.push(...Array.from(text));
  // More than the least only where the word was longer anyway.
  const length = Math.max(least, Math.min(Array.from(text).length, most));
  return characters.slice(0, length).join("");
}
