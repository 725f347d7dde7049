import type { evidence as en } from "../en/evidence.ts";
import { counted } from "./counted.ts";

export const evidence = {
  useAsNow: "Usar as verificações como estão agora",
  useAsNowAbout:
    "A partir de agora valem as verificações como estão no arquivo, e o projeto é examinado de novo",
  allow: (host) => `Permitir ${host}`,
  checkNow: "Verificar agora",
  fix: "Corrigir problemas",
  stood: {
    removed: {
      model: "como era antes de ser removida pelo modelo",
      other: "como era antes de ser removida fora da página",
    },
    changed: {
      model: "como era antes de ser alterada pelo modelo",
      other: "como era antes de ser alterada fora da página",
    },
    off: {
      model: "como era antes de ser desligada pelo modelo",
      other: "como era antes de ser desligada fora da página",
    },
  },
  rewritten: "alterada pelo modelo nesta rodada",
  askRepair: "Corrija os problemas encontrados.",
  evidence: "Evidências",
  parts: {
    install: "Instalação",
    build: "Build",
    serve: "Servidor",
    page: "Página",
    console: "Console",
  },
  states: {
    untried: "não tentado",
    going: "em andamento",
    held: "passou",
    failed: "falhou",
    inapplicable: "não se aplica",
  },
  partIs: (part, state) => `${part}: ${state}`,
  checks: "Verificações",
  editChecks: "Editar verificações",
  thePage: "a página",
  printed: "Enquanto isso, o servidor imprimiu",
  nothingYet: "Nada foi observado ainda",
  observed: (time) => `Observado às ${time}`,
  took: (duration) => ` · levou ${duration}`,
  revision: "revisão",
  address: "Endereço",
  answer: "Resposta",
  noAnswer: "nenhuma",
  title: "Título",
  overlay: "Sobreposição de erro",
  problems: { uncaught: "não capturado", console: "console", request: "requisição" },
  andMore: (amount) => counted(amount, { other: "e mais #" }),
  openAt: (path, line) => `Abrir ${path} na linha ${line}`,
  toQuestion: "Mostrar o que ele pergunta",
} satisfies typeof en;
