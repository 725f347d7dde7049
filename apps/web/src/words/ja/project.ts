import type { project as en } from "../en/project.ts";

export const project = {
  download: "ダウンロード",
  downloads: {
    zip: "ZIP（シークレット .env を除く）",
    everything: "ZIP（すべてを含む）",
    container: "ZIP（Dockerfile と compose ファイル付き）",
    markdown: "会話（Markdown）",
    json: "会話（JSON）",
    log: "ログ（JSON Lines、再び取り込めます）",
    transcript: "記録（キーを除く、再生できます）",
  },
} satisfies typeof en;
