import type { api as en } from "../en/api.ts";

export const api = {
  unreachable: "Treadle 服务器没有响应。你输入的内容保留在这里；服务器恢复后再试。",
  signedOut: "此页面尚未登录。请打开 Treadle 启动时打印的地址。",
  answeredWith: (status) => `服务器返回了 ${status}。请重试。`,
  uploadStopped: "上传已停止。",
  changed: (path) => `${path} 在此期间已被修改。未写入任何内容。`,
} satisfies typeof en;
