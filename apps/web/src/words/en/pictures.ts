export const pictures = {
  openWhole: "Open at full size",
  lookOf: (what: string) => `What ${what} looked like`,
  blind: (model: string) =>
    `${model} reads no pictures. Choose a model that does, say under this one’s name that it does, put them into the project as files, or remove them.`,
  pictures: "Pictures",
  picture: (number: number, size: string) => `Picture ${number}, ${size}`,
  boxes: (characters: string) =>
    `The looking browser has no font for ${characters}: in the picture they are boxes. Your own browser has its own fonts.`,
};
