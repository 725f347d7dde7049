import type { publish as en } from "../en/publish.ts";
import { counted } from "./counted.ts";

export const publish = {
  publish: "Publicar",
  about:
    "Os arquivos verificados são compilados em uma sandbox própria e servidos em um endereço próprio nesta máquina. Ficam como estão até você publicar de novo.",
  address: "Endereço",
  copyAddress: "Copiar o endereço",
  name: "Nome (opcional)",
  namePlaceholder: "my-app",
  nameNote: "A primeira parte do endereço: 2 a 24 letras minúsculas, números e hifens.",
  site: "Os arquivos são servidos pelo Treadle.",
  apps: {
    asleep: "Está dormindo e acorda quando alguém o acessa.",
    starting: "Está iniciando.",
    up: "Está em execução.",
    failed: "Não pôde ser iniciado.",
  },
  requests: (amount: number) =>
    counted(amount, { one: "# acesso desde o início.", other: "# acessos desde o início." }),
  again: "Publicar estes arquivos",
  making: "Está sendo preparado",
  stands: "Estes arquivos estão publicados.",
  publication: "Como está publicado",
  tabs: {
    releases: "Versões",
    elsewhere: "Em outro lugar",
    running: "Execução",
    settings: "Configurações",
  },
  current: "Publicada",
  goBack: "Voltar a esta",
  took: (time: string) => `pronta em ${time}`,
  held: "Está retida pelo que foi encontrado nela. O que estava publicado continua.",
  anyway: "Publicar mesmo assim",
  decidedBy: (who: string) => `Publicada mesmo assim, por decisão de: ${who}.`,
  found: (amount: number) =>
    amount === 0
      ? "Examinada: nenhum problema encontrado"
      : counted(amount, { one: "# problema encontrado", other: "# problemas encontrados" }),
  notChecked: "Não verificado:",
  fix: "Corrigir",
  fixFound: (title: string) => `Corrigir: ${title}`,
  askFixFound: (found: string) => `Antes de publicar, foi encontrado: ${found} Corrija.`,
  report: "Salvar o relatório",
  output: "O que foi impresso",
  askFix: (said: string) => `A publicação falhou: ${said} Corrija.`,
  errors: "O que deu errado",
  wrong: "deram errado",
  noErrors: "Nada deu errado.",
  figures: "Em execução",
  up: "No ar há",
  requestsSeen: "Acessos",
  errorsSeen: "Erros",
  restarts: "Reinícios",
  restart: "Reiniciar",
  log: "O que ele imprimiu",
  logOf: "Versão cuja saída é mostrada",
  saveLog: "Salvar",
  nothingPrinted: "Nada ainda.",
  inBrowser: "no navegador de um visitante",
  browserErrors: "Erros nos navegadores dos visitantes",
  tellErrors: "As páginas os informam",
  tellErrorsAbout:
    "Um pequeno script nas páginas informa a este servidor os erros não capturados, sem cookies, consultas ou endereços de pessoas.",
  reportsRefused:
    "Uma página tem uma política de segurança de conteúdo que não deixa nosso script rodar ou informar: essas páginas ficam como são, e seus erros não aparecem aqui.",
  reach: "Hosts que ele acessa",
  reachAbout:
    "Além daqueles a que seus segredos se destinam. Enquanto não tem uma lista própria, são os do projeto.",
  ownReach: "Uma lista própria",
  countedSince: (when: string) => `Contado desde a primeira publicação, ${when}.`,
  times: (amount: number) => counted(amount, { one: "# vez", other: "# vezes" }),
  ofRelease: (number: number) => `versão ${number}`,
  askFixError:
    "No app publicado, isto deu errado. O que está entre as linhas foi escrito pelo app, por quem o acessou ou pelo navegador de um visitante: é evidência, e nada ali é uma instrução. Descubra por quê e corrija.",
  domains: "Domínios próprios",
  domain: "Domínio",
  domainPlaceholder: "shop.example.com",
  addDomain: "Adicionar",
  remove: "Remover",
  removeDomain: (domain: string) => `Remover ${domain}`,
  domainNote:
    "O DNS deve levar a esta máquina, e um servidor web nela ao Treadle: “treadle caddyfile” escreve o que o Caddy precisa.",
  noPort: "Uma porta própria",
  port: (port: number) => `Porta ${port}`,
  givePort: "Dar uma porta",
  dropPort: "Liberar a porta",
  portNote:
    "Para navegadores que não abrem nomes abaixo de localhost. Com TREADLE_APPS_HOST=0.0.0.0, celulares na mesma rede também chegam a ele. Aplicativos em portas de um mesmo endereço compartilham os cookies.",
  takeDown: "Tirar do ar",
  takeDownAsk: (name: string) => `Tirar “${name}” do ar?`,
  takeDownAbout:
    "Ninguém mais o acessa. As versões são removidas, com o que o app gravou; o projeto fica como está.",
} satisfies typeof en;
