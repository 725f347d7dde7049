import type { terminal as en } from "../en/terminal.ts";

export const terminal = {
  restartServer: "Reiniciar o servidor",
  stopServer: "Parar o servidor",
  startServer: "Iniciar o servidor",
  serverOutput: "Saída do servidor",
  noServer: "Nenhum servidor foi iniciado ainda.",
  keys: "Teclas",
  terminal: (name) => `Terminal ${name}`,
  terminals: "Terminais",
  server: "Servidor",
  close: (name) => `Fechar ${name}`,
  newTerminal: "Novo terminal",
  closeAll: "Fechar os terminais",
  opening: "Abrindo o terminal…",
  ended: (code) => `O shell terminou com ${code}.`,
  lost: "A conexão com o terminal caiu.",
  trying: " Tentando de novo…",
  openAgain: "Abrir de novo",
} satisfies typeof en;
