import type { home as en } from "../en/home.ts";

export const home = {
  heading: "想做点什么？",
  placeholder: "一个会记住我输入内容的待办应用…",
  sayFirst: "请先用一两句话说明要做什么。",
  noModel:
    "还没有可用的模型。请添加提供商的密钥、启动本地模型，或在下方观看录制的构建。你输入的文字会保留。",
  starting: "正在开始…",
  build: "构建",
  examples: "示例",
  recordedAbout: "模型的回答来自录制；文件、安装、服务器和检查都是真实的。",
  recorded: "录制的构建",
  recordedOnly: "还没有模型：观看录制的构建",
  demos: {
    todo: {
      title: "待办应用",
      about: "React 与 Vite：任务可以添加、勾选、编辑、删除和筛选，重新加载后仍在。",
    },
    api: {
      title: "小型 API",
      about: "Express 与 SQLite：列出、搜索、添加、修改和删除书签，出错时会说明原因。",
    },
    repair: {
      title: "修复了错误的页面",
      about: "第一个版本在渲染时抛出错误。检查看到的情况返回给录制内容，由它修复。",
    },
  },
  tryAgain: "重试",
  open: "打开",
  folder: "文件夹",
  archive: "ZIP",
  taking: (share) => `正在导入：${share}%`,
  stopTaking: "停止",
  emptyFolder: "文件夹里没有可导入的文件。没有创建任何内容。",
  folderTooLarge: "文件夹超过 20,000 个文件或 1 GB 的上限。没有创建任何内容。",
  badName: (path) => `${path} 不是项目可用的名称。没有创建任何内容。`,
  yours: "我的项目",
  find: "查找项目",
  findHint: "查找项目…",
  noneFound: "没有这个名称的项目。",
  moreFor: (name) => `${name} 的更多操作`,
  more: "更多",
  rename: "重命名",
  download: "下载 ZIP",
  delete: "删除",
  wasDeleted: (name) => `已删除“${name}”。`,
  deletedFor: (name, minutes) => `“${name}”已删除，还会保留 ${minutes} 分钟。`,
  putBack: "恢复",
  putBackNamed: (name) => `恢复 ${name}`,
  justDeleted: "刚刚删除",
  undo: "撤销",
  archiveIt: "归档",
  unarchive: "移出归档",
  showArchived: (count) => `显示 ${count} 个已归档项目`,
  hideArchived: "隐藏已归档项目",
  example: {
    todo: {
      label: "待办应用",
      prompt: "做一个待办应用：可以添加、勾选完成、按未完成和已完成筛选，重新加载页面后列表仍在。",
    },
    landing: {
      label: "落地页",
      prompt: "为一家小型自行车修理店做一个落地页：营业时间、三项带价格的服务，以及一个预约表单。",
    },
    dashboard: {
      label: "CSV 数据看板",
      prompt:
        "做一个数据看板：读取我拖到页面上的 CSV 文件，以表格显示各列，并为我选择的任意数字列画柱状图。",
    },
    api: {
      label: "小型 API",
      prompt:
        "用 Express 做一个小型笔记 API：列出、创建、修改和删除，检查输入，并在 / 返回路由列表。",
    },
    game: {
      label: "小游戏",
      prompt: "用 canvas 做一个贪吃蛇游戏：支持方向键和触摸，显示得分，并保存最高分。",
    },
  },
} satisfies typeof en;
