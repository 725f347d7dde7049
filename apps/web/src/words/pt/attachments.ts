import type { attachments as en } from "../en/attachments.ts";
import { counted } from "./counted.ts";

export const attachments = {
  addFiles: "Adicionar arquivos",
  addAbout: "Adicione imagens ou outros arquivos (ou solte ou cole)",
  filesToAdd: "Arquivos a adicionar",
  letGo: "Solte: imagens são mostradas ao modelo, outros arquivos vão para data/ no projeto",
  pictures: "Imagens",
  remove: (name) => `Remover ${name}`,
  asFile: (name) => `Colocar ${name} no projeto como arquivo`,
  files: "Arquivos",
  notUploaded: "não enviado",
  goesTo: (place) => `Entra no projeto como ${place} quando você enviar`,
  uploading: (place) => `Enviando ${place}`,
  someFailed: (why) => `Nem todos os arquivos estão no projeto. ${why}`,
  tooLarge: "Tem mais de 1 GB, o máximo aceito.",
  nothingSent: (why) => `Nada foi enviado. ${why}`,
  tooMany: (most) =>
    counted(most, {
      other: "Uma pasta com mais de # arquivos não pode ser enviada. Nada foi adicionado.",
    }),
  unreadable: (path) => `Não foi possível ler ${path}. Nada foi adicionado.`,
} satisfies typeof en;
