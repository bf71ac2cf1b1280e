import type { Block } from "./block.ts";
import { broken, needName, needObject } from "./fields.ts";
import type { ImagePart } from "./part.ts";

/** Returns the picture: its bytes as a data URL, or its address as it is. */
export function readImage({ fields, param }: Block): ImagePart {
  const place = `${param}.source`;
  const source = needObject(fields, "source", param);
  switch (source["type"]) {
    case "base64":
      return image(`data:${readMediaType(source["media_type"], place)};base64,${needName(source, "data", place)}`);
    case "url":
      return image(needName(source, "url", place));
    case "file":
      throw broken(param, "source", "must be base64 or a URL: there are no uploaded files here");
    default:
      throw broken(place, "type", 'must be "base64" or "url"');
  }
}

function image(url: string): ImagePart {
  return { type: "image_url", image_url: { url } };
}

/** What else a media type may hold, parameters above all, would be read as part of the URL. */
function readMediaType(media: unknown, param: string): string {
  if (typeof media === "string" && /^image\/[\w.+-]{1,64}$/.test(media)) return media;
  throw broken(param, "media_type", 'must be the type of an image, such as "image/png"');
}
