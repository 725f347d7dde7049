/** A picture of a prompt, as one that was chosen from this machine. */
export function pictureFile({ mediaType, data }: { mediaType: string; data: string }): File {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new File([bytes], `prompt.${mediaType.slice(mediaType.indexOf("/") + 1)}`, {
    type: mediaType,
  });
}
