import type { page as en } from "../en/page.ts";

export const page = {
  commands: "命令",
  skip: "跳到内容",
  unsafe: "没有沙箱：生成的代码以你自己的权限在本机运行，可以读取你的文件。",
  noSandbox: "生成的代码无法在本机运行。请运行 “treadle doctor”。",
  nothingHere: "此地址没有内容",
  maybeDeleted: "项目可能已被删除，或者地址不完整。",
  stopped: "页面已停止",
  stoppedSafe: (why) => `${why}。你的项目在服务器上是安全的；请重新加载页面。`,
  missing: "Treadle 的这一部分无法加载：服务器没有响应，或已换成其他版本。你的项目没有任何丢失。",
  tryAgain: "重试",
  reload: "重新加载页面",
} satisfies typeof en;
