import type { prompt as en } from "../en/prompt.ts";
import { counted } from "./counted.ts";

export const prompt = {
  brokeOff: "O modelo parou no meio. Seu próprio texto está de volta.",
  improving: "Melhorando… parar",
  improveAbout: "Deixe o modelo dizer com mais clareza, antes de criar qualquer coisa",
  improve: "Melhorar",
  undoAbout: "Voltar às suas próprias palavras",
  undo: "Desfazer",
  planAbout: "Ler, perguntar e planejar; não alterar nada",
  plan: "Planejar",
  commands: "Comandos",
  commandsOffered: (amount) =>
    counted(amount, {
      one: "# comando. Setas escolhem, Enter aceita, Escape fecha.",
      other: "# comandos. Setas escolhem, Enter aceita, Escape fecha.",
    }),
  discuss: "Conversar",
  discussAbout: "Ler, olhar e responder; não mudar nada",
  speak: "Falar",
  stopListening: "Parar de ouvir",
  mayNotListen: "Este navegador não deixa a página ouvir.",
  noMicrophone: "Nenhum microfone foi encontrado.",
  speechOffline: "O reconhecimento de fala do navegador não está acessível.",
  pointAt: "Apontar para",
  thingsOffered: (amount) =>
    counted(amount, { other: "# para apontar. Setas escolhem, Enter aceita, Escape fecha." }),
  tooLong: (length, most) =>
    `São ${length} caracteres; o máximo que pode ser enviado é ${most}. Nada foi cortado.`,
  about: {
    problems: "o que está quebrado agora",
    terminal: "últimas linhas do terminal",
    preview: "o que a página mostra",
    diff: "o que mudou por último",
    checkpoint: "o que mudou desde um ponto salvo",
  },
  aboutLink: "uma página da web",
  thingsGiven: (amount) =>
    counted(amount, { one: "# item enviado junto", other: "# itens enviados junto" }),
  notFound: "Não encontrado",
  notGiven: (why) => `não foi enviado: ${why}`,
  openFile: (path) => `Abrir ${path}`,
} satisfies typeof en;
