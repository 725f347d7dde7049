export const pictures = {
  openWhole: "Open it whole",
  lookOf: (what: string) => `What ${what} looked like`,
  unreadable: "The picture cannot be read.",
  pictures: "Pictures",
  picture: (number: number, size: string) => `Picture ${number}, ${size}`,
};
