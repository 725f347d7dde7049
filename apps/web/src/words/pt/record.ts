import type { record as en } from "../en/record.ts";

export const record = {
  title: "Gravar uma verificação",
  close: "Parar de gravar",
  about: "Use o app como uma pessoa usaria. O que você faz é acrescentado aqui, passo a passo.",
  steps: "Passos",
  step: "Passo",
  remove: (step: string) => `Remover: ${step}`,
  noStep: "Uma verificação não tem esse passo",
  full: (most: number) => `Uma verificação tem no máximo ${most} passos.`,
  secrets: "Gravar as senhas como foram digitadas.",
  secretsAbout: "Caso contrário ficam como {new}: outro valor a cada execução.",
  expectsNothing: "Ela ainda não espera nada, portanto não prova nada.",
  expect: "Esperar algo",
  expecting: "Clique no que deve ser esperado",
  name: "Nome da verificação",
  nameHint: "Adiciona uma tarefa e a guarda",
  save: "Salvar e executar",
  saved: (name: string) => `“${name}” está nas verificações do projeto.`,
  running: "Está sendo executada…",
  notRun: "Não foi executada.",
  refused: {
    "same-name": "Já existe uma verificação com esse nome. Dê outro nome.",
    "not-read": "O arquivo de verificações não pôde recebê-la. Abra-o e veja o final.",
  },
} satisfies typeof en;
