import type { api as en } from "../en/api.ts";

export const api = {
  unreachable:
    "O servidor do Treadle não responde. O que você digitou fica guardado aqui; tente de novo quando ele estiver rodando.",
  signedOut: "Esta página não está autenticada. Abra o endereço que o Treadle mostrou ao iniciar.",
  answeredWith: (status) => `O servidor respondeu com ${status}. Tente de novo.`,
  uploadStopped: "O envio foi interrompido.",
  changed: (path) => `${path} mudou nesse meio-tempo. Nada foi gravado.`,
} satisfies typeof en;
