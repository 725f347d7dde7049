import type { terminal as en } from "../en/terminal.ts";

export const terminal = {
  restartServer: "重启服务器",
  stopServer: "停止服务器",
  startServer: "启动服务器",
  serverOutput: "服务器输出",
  noServer: "尚未启动服务器。",
  keys: "按键",
  terminal: (name) => `终端 ${name}`,
  terminals: "终端",
  server: "服务器",
  close: (name) => `关闭${name}`,
  newTerminal: "新建终端",
  closeAll: "关闭终端面板",
  opening: "正在打开终端…",
  ended: (code) => `Shell 已退出，代码 ${code}。`,
  lost: "与终端的连接已断开。",
  trying: " 正在重试…",
  openAgain: "重新打开",
} satisfies typeof en;
