import type { project as en } from "../en/project.ts";

export const project = {
  download: "Baixar",
  downloads: {
    zip: "ZIP, sem segredos (.env)",
    everything: "ZIP com tudo",
    container: "ZIP com Dockerfile e arquivo compose",
    markdown: "Conversa em Markdown",
    json: "Conversa em JSON",
    log: "Registro (JSON Lines), para importar de novo",
    transcript: "Transcrição sem chaves, para reproduzir",
  },
} satisfies typeof en;
