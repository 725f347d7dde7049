import type { tab as english } from "../en/tab.ts";

export const tab = {
  title: "此项目在这个标签页中运行",
  states: {
    starting: "正在启动容器…",
    running: "就绪。",
    lost: "服务器没有应答，正在重试…",
    elsewhere: "现在由另一个标签页运行。重新加载此页可以接回。",
    broken: "无法继续。",
  },
  notYet: "容器还没有到。浏览器要从下列主机获取它：如果网络或拦截器不让访问，此页会一直等待。",
  about:
    "请保持此标签页打开：没有它，需要运行的一切都会等待。容器来自 StackBlitz（stackblitz.com、webcontainer.io、webcontainer-api.io、staticblitz.com），适用其自己的条款；商业用途需要其许可。",
  preview: "运行中的应用",
  output: "输出内容",
  notIsolated:
    "浏览器没有隔离此页。请在 WebContainers 支持的浏览器中，用单独的标签页打开它的地址。",
} satisfies typeof english;
