import type { ui as en } from "../en/ui.ts";

export const ui = {
  keepIt: "Manter",
  cannotCopy: "Este navegador não deixa a página copiar. Selecione o texto e copie.",
  copied: "Copiado",
  close: "Fechar",
  allProjects: "Todos os projetos",
  projectName: "Nome do projeto",
  seconds: (number) => `${number} s`,
  minutes: (number) => `${number} min`,
  tokens: (number) => `${number} tokens`,
  underACent: (cent) => `menos de ${cent}`,
  justNow: "agora mesmo",
  minutesAgo: (minutes) => `há ${minutes} min`,
  hoursAgo: (hours) => `há ${hours} h`,
} satisfies typeof en;
