import type { share as en } from "../en/share.ts";
import { counted } from "./counted.ts";

export const share = {
  share: "Compartilhar",
  about:
    "Um link para quem não tem conta. Ele mostra o que você escolher e nada mais do Treadle, e pode ser revogado a qualquer momento.",
  what: "O que ele mostra",
  kinds: {
    preview: "O app em execução",
    release: "O que está publicado",
    conversation: "A conversa",
  },
  kindNotes: {
    preview:
      "Como roda e muda aqui. Quem tem o link pode usá-lo e ler o código que o servidor de desenvolvimento entrega.",
    release: "O app publicado, seja qual for o endereço dele.",
    conversation:
      "Tudo o que foi dito, com os passos e vereditos, só para leitura. Chaves e arquivos ocultos ficam de fora; mesmo assim, dê uma olhada.",
  },
  notPublished: "Nada foi publicado ainda.",
  release: "Versão",
  current: "A que está publicada",
  numbered: (number: number, label: string) =>
    label === "" ? `Versão ${number}` : `Versão ${number}: ${label}`,
  ends: "Termina em",
  days: (amount: number) => counted(amount, { one: "# dia", other: "# dias" }),
  never: "Nunca",
  password: "Senha (opcional)",
  costs: "Mostrar quanto os turnos custaram",
  source: "Permitir levar o código como ZIP",
  sourceNote: "Sem arquivos .env, chaves e dados, e sem arquivos que contenham um segredo seu.",
  make: "Criar um link",
  copied: "O link foi copiado.",
  onlyHere:
    "Os links abrem só em navegadores desta máquina: o Treadle não atende mais ninguém. Para pessoas em outros lugares, traga um domínio para cá (TREADLE_APPS_DOMAIN).",
  throughDomain: (domain: string) =>
    `Os links abrem para quem tiver um, por ${domain}, assim que um servidor web na frente do Treadle responder por ele.`,
  links: "Links",
  endsAt: (when: string) => `até ${when}`,
  endsNever: "não termina",
  locked: "com senha",
  uses: (amount: number) =>
    amount === 0
      ? "ainda não foi aberto"
      : counted(amount, { one: "aberto uma vez", other: "aberto # vezes" }),
  usedAt: (when: string) => `por último em ${when}`,
  revoke: "Revogar",
  revokeAsk: "Revogar este link?",
  revokeAbout: "Ele não abre mais nada, e quem o tem aberto o perde na hora.",
  yours: "Torne seu",
  yoursAbout:
    "Copia o projeto por trás do link, com os arquivos e a conversa, como um projeto próprio. Segredos e hosts permitidos não vêm junto.",
  makeYours: "Fazer uma cópia",
} satisfies typeof en;
