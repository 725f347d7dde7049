import type { settingsPage as en } from "../en/settingsPage.ts";
import { counted } from "./counted.ts";

export const settingsPage = {
  search: "Buscar nas configurações",
  parts: "Partes das configurações",
  none: (query) => `Nada nas configurações fala de “${query}”.`,
  sections: {
    models: "Modelos e chaves",
    approvals: "Aprovações",
    rules: "Regras",
    skills: "Skills",
    hosts: "Hosts permitidos",
    secrets: "Segredos",
    tools: "Ferramentas (MCP)",
    budget: "Orçamento",
    appearance: "Aparência",
    language: "Idioma",
    shortcuts: "Atalhos de teclado",
    about: "Sobre",
  },
  modelOfNew: "O que os novos projetos usam. Cada projeto pode escolher o seu.",
  modelOfProject: "O que este projeto usa. As chaves valem para todos os projetos.",
  completions: "Deixar um modelo completar o que digito no editor",
  completionsAbout:
    "A cada pausa na digitação ele é consultado uma vez, o que custa de algumas centenas a dois mil tokens do orçamento do projeto. Tab aceita a sugestão, Esc a recusa. Arquivos de segredos nunca são enviados.",
  completionsModel: "Modelo consultado",
  completionsOwnModel: "o modelo do projeto",
  completionsCost: (count, used) =>
    counted(count, {
      one: `# sugestão neste projeto: ${used}`,
      other: `# sugestões neste projeto: ${used}`,
    }),
  skillsAbout:
    "Guias curtos que o modelo lê quando vai fazer algo assim. Um projeto traz os seus em .agents/skills; os seus para todos os projetos ficam na pasta skills da pasta de dados.",
  skillFrom: {
    treadle: "do próprio Treadle",
    person: "sua",
    project: "deste projeto",
  },
  inProjects: "Aprovações, hosts, segredos e orçamentos são definidos em cada projeto.",
  aboutAbout: "Versões, e o que esta máquina pode fazer pelo Treadle.",
  looking: "Olhando esta máquina…",
  system: "Sistema",
  machine: "Esta máquina",
  there: "Disponível:",
  missing: "Falta:",
  lookAgain: "Olhar de novo",
  theme: "Tema",
  themes: {
    system: "Sistema",
    light: "Claro",
    dark: "Escuro",
  },
  language: "Idioma",
  browserLanguage: (name) => `Como o navegador (${name})`,
  languageAbout: "O da própria página. O modelo responde no idioma em que você escreve.",
} satisfies typeof en;
