/** A picture to be sent. `url` contains its bytes. */
export interface DraftPicture {
  id: number;
  name: string;
  url: string;
}

/** A picture that the browser stores until it is sent. */
export type StoredPicture = Omit<DraftPicture, "id">;

/** Maximum pictures per message, and bytes per picture, as accepted by the server. */
export const MAX_PICTURES = 6;
const MAX_PICTURE_BYTES = 3_750_000;
/** Maximum pixels per side; models scale larger pictures down, so more would only cost. */
const MAX_SIDE_PX = 1_568;
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

let ids = 0;

/**
 * Reads a pasted, dropped or selected picture, and scales it down if necessary.
 * @returns undefined if it has too many bytes even then; rejects if it cannot be decoded
 */
export async function readPicture(file: File): Promise<DraftPicture | undefined> {
  const name = file.name || "picture";
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height));
  if (scale === 1 && file.size <= MAX_PICTURE_BYTES && TYPES.has(file.type)) {
    bitmap.close();
    return { id: ++ids, name, url: await dataUrl(file) };
  }
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const smaller =
    (await blobOf(canvas, "image/png", MAX_PICTURE_BYTES)) ??
    (await blobOf(canvas, "image/jpeg", MAX_PICTURE_BYTES));
  return smaller && { id: ++ids, name, url: await dataUrl(smaller) };
}

/** A picture restored from the browser's storage. */
export const restorePicture = ({ name, url }: StoredPicture): DraftPicture => ({
  id: ++ids,
  name,
  url,
});

/** The bytes as base64, as they are sent. */
export const base64Of = ({ url }: DraftPicture) => url.slice(url.indexOf(",") + 1);

/** The bytes as a file, for a picture to be uploaded to the project. */
export function fileOf({ name, url }: DraftPicture): File {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (one) => one.charCodeAt(0));
  return new File([bytes], name, { type: /^data:([^;,]*)/.exec(url)?.[1] ?? "" });
}

async function blobOf(canvas: HTMLCanvasElement, type: string, most: number) {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9));
  return blob && blob.size <= most ? blob : undefined;
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error!));
    reader.readAsDataURL(blob);
  });
}
