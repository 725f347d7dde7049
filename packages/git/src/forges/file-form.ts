import type { Picture } from "./types.ts";

/** The file name of a picture: `app.png`. */
export const pictureName = ({ type }: Pick<Picture, "type">) =>
  `app.${type.replace(/^image\//, "").replace("jpeg", "jpg")}`;

/** A form that uploads a picture. */
export function fileForm(field: string, picture: Picture): FormData {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(picture.bytes)], { type: picture.type }), pictureName(picture)); // prettier-ignore
  return form;
}
