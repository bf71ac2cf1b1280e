/** The content parts of a chat message that this protocol's blocks become. */

export type Part = TextPart | ImagePart;

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ImagePart {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
}

export function textPart(text: string): TextPart {
  return { type: "text", text };
}
