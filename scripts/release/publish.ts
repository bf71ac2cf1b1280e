export interface Release {
  /** `v` and the version. */
  readonly tag: string;
  readonly text: string;
}

export interface GitHub {
  /** Its API's address, without a trailing slash. */
  readonly url: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token: string;
}

/** Makes the release and returns its address; one with a hyphen in its version is marked as not for everybody. Throws with GitHub's answer. */
export async function publish({ tag, text }: Release, { url, repository, token }: GitHub): Promise<string> {
  const response = await fetch(`${url}/repos/${repository}/releases`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
      "content-type": "application/json",
      "x-github-api-version": "2022-11-28",
    },
    body: JSON.stringify({ tag_name: tag, name: tag, body: text, prerelease: tag.includes("-") }),
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`GitHub answers ${response.status}: ${answer.slice(0, 500)}`);
  const { html_url: address }: { html_url: string } = JSON.parse(answer);
  return address;
}
