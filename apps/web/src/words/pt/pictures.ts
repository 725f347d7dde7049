import type { pictures as en } from "../en/pictures.ts";

export const pictures = {
  openWhole: "Abrir inteira",
  lookOf: (what) => `Como ${what} aparecia`,
  unreadable: "Não foi possível ler a imagem.",
  pictures: "Imagens",
  picture: (number, size) => `Imagem ${number}, ${size}`,
} satisfies typeof en;
