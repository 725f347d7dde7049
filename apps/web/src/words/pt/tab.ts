import type { tab as english } from "../en/tab.ts";

export const tab = {
  title: "Este projeto roda nesta aba",
  states: {
    starting: "Iniciando o contêiner…",
    running: "Pronto.",
    lost: "O servidor não responde. Tentando de novo…",
    elsewhere: "Outra aba o roda agora. Recarregue esta página para retomá-lo.",
    broken: "Não foi possível continuar.",
  },
  notYet:
    "Ele ainda não chegou. O navegador o busca nos hosts abaixo: se uma rede ou um bloqueador os impede, esta página espera para sempre.",
  about:
    "Mantenha esta aba aberta: sem ela, tudo o que precisa rodar espera. O contêiner vem da StackBlitz (stackblitz.com, webcontainer.io, webcontainer-api.io, staticblitz.com), sob os termos dela; o uso comercial exige uma licença.",
  preview: "O app em execução",
  output: "O que foi impresso",
  notIsolated:
    "O navegador não isolou esta página. Abra o endereço em uma aba própria, em um navegador compatível com WebContainers.",
} satisfies typeof english;
