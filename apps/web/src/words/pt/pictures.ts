import type { pictures as en } from "../en/pictures.ts";

export const pictures = {
  openWhole: "Abrir inteira",
  lookOf: (what) => `Como ${what} aparecia`,
  blind: (model) =>
    `${model} não lê imagens. Escolha um modelo que leia, diga abaixo do nome deste que ele lê, coloque-as no projeto como arquivos ou remova-as.`,
  pictures: "Imagens",
  picture: (number, size) => `Imagem ${number}, ${size}`,
  boxes: (characters: string) =>
    `O navegador que olha não tem fonte para ${characters}: na imagem são quadrados. O seu navegador tem as suas próprias fontes.`,
} satisfies typeof en;
