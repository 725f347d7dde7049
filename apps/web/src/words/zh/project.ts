import type { project as en } from "../en/project.ts";

export const project = {
  download: "下载",
  downloads: {
    zip: "ZIP，不含密钥（.env）",
    everything: "ZIP，包含全部内容",
    container: "ZIP，含 Dockerfile 和 compose 文件",
    markdown: "对话（Markdown）",
    json: "对话（JSON）",
    log: "日志（JSON Lines），可再次导入",
    transcript: "记录（不含密钥），可重放",
  },
} satisfies typeof en;
