import type { files as en } from "../en/files.ts";
import { counted } from "./counted.ts";

export const files = {
  gone: (path) => `${path} não está mais aqui.`,
  deleteOne: (name) => `Excluir ${name}?`,
  delete: "Excluir",
  tooManyToUndo: (amount) =>
    counted(amount, {
      other:
        "Contém # arquivos, demais para serem restaurados aqui. O que foi guardado em um ponto salvo pode ser recuperado no histórico.",
    }),
  newPath: "Caminho do novo arquivo",
  tryAgain: "Tentar de novo",
  writing: "Escrevendo",
  follow: "Seguir",
  none: "Ainda não há arquivos.",
  choose: "Escolha um arquivo para ler ou editar.",
  hide: "Ocultar os arquivos",
  show: "Mostrar os arquivos",
  reading: "Lendo…",
  states: {
    saved: "Salvo",
    edited: "Editado",
    saving: "Salvando…",
    written: "Sendo escrito…",
    conflict: "Alterado por outra pessoa",
    problem: "Não salvo",
  },
  waits: "Espera por você",
  deleted: (name) => `${name} foi excluído.`,
  undo: "Desfazer",
  downloadOne: (name) => `Baixar ${name}`,
  download: "Baixar",
  save: "Salvar",
  rename: (name) => `Renomear ${name}`,
  deleteFile: (name) => `Excluir ${name}`,
  kept: (why) => `${why} Seu texto continua no editor.`,
  conflict: "Conflito",
  changedMeanwhile: (path) =>
    `${path} foi alterado por outra pessoa enquanto você editava. Nada foi sobrescrito: este é o texto em disco, o seu está no editor abaixo.`,
  deletedMeanwhile: (path) =>
    `${path} foi excluído por outra pessoa enquanto você editava. Seu texto está no editor abaixo.`,
  keepMine: "Manter o meu",
  takeBoth: "Usar os dois",
  bothStand:
    "Os dois textos estão no editor abaixo, entre marcas onde ambos mudaram as mesmas linhas. Acerte esses trechos e depois mantenha o que está lá.",
  keepBoth: "Manter o que está lá",
  takeTheirs: "Usar o do disco",
  letGo: "Deixar para lá",
  onDisk: "Texto em disco",
  noText: "(não é texto)",
  noneFound: "Nenhum arquivo assim.",
  files: "Arquivos",
  newPathOf: (path) => `Novo caminho de ${path}`,
  readOnly: (from, to, size) => `Somente leitura: linhas ${from} a ${to}, de ${size}`,
  partBefore: "Parte anterior",
  nextPart: "Próxima parte",
  pdf: (size) => `Este navegador não mostra PDF dentro de uma página (${size}). Baixe-o para ler.`,
  notText: (size) => `Este arquivo não é texto (${size}).`,
  textOf: (path) => `Texto de ${path}`,
  filter: "Filtrar os arquivos",
  showAll: "Mostrar todos os arquivos",
  upload: "Enviar arquivos (ou solte em uma pasta)",
  toUpload: "Arquivos a enviar",
  newFile: "Novo arquivo",
  uploading: (amount, percent) =>
    counted(amount, {
      one: `Enviando um arquivo: ${percent}%`,
      other: `Enviando # arquivos: ${percent}%`,
    }),
  notPutBack: (why) => `Nem tudo pôde ser restaurado. ${why}`,
  exists: (path) => `${path} já existe.`,
  uploaded: (name) => `${name} foi enviado.`,
  uploadedFiles: (amount) =>
    counted(amount, { one: "# arquivo enviado.", other: "# arquivos enviados." }),
} satisfies typeof en;
