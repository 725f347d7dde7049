import type { settingsPage as en } from "../en/settingsPage.ts";
import { counted } from "./counted.ts";

export const settingsPage = {
  search: "搜索设置",
  parts: "设置的各部分",
  none: (query) => `设置中没有提到“${query}”的内容。`,
  sections: {
    models: "模型与密钥",
    approvals: "批准",
    rules: "规则",
    skills: "技能",
    hosts: "允许的主机",
    secrets: "机密",
    tools: "工具 (MCP)",
    budget: "预算",
    appearance: "外观",
    language: "语言",
    shortcuts: "键盘快捷键",
    about: "关于",
  },
  modelOfNew: "新项目使用的模型。每个项目可以自行选择。",
  modelOfProject: "此项目使用的模型。密钥适用于所有项目。",
  completions: "让模型补全我在编辑器中输入的内容",
  completionsAbout:
    "每次停顿后会询问模型一次，花费项目预算中的几百到两千个 token。按 Tab 接受，按 Esc 拒绝。存放机密的文件从不发送。",
  completionsModel: "询问的模型",
  completionsOwnModel: "项目的模型",
  completionsCost: (count, used) => counted(count, { other: `此项目中的 # 次补全：${used}` }),
  skillsAbout:
    "简短的指南，模型在要做这类事情时会阅读。项目的技能放在 .agents/skills；适用于所有项目的技能放在数据文件夹的 skills 文件夹中。",
  skillFrom: {
    treadle: "Treadle 自带",
    person: "你的",
    project: "此项目的",
  },
  inProjects: "批准、主机、机密和预算在各个项目中设置。",
  aboutAbout: "版本，以及这台机器能为 Treadle 做什么。",
  looking: "正在查看这台机器…",
  system: "系统",
  machine: "这台机器",
  there: "可用：",
  missing: "缺少：",
  lookAgain: "重新查看",
  theme: "主题",
  themes: {
    system: "跟随系统",
    light: "浅色",
    dark: "深色",
  },
  language: "语言",
  browserLanguage: (name) => `跟随浏览器（${name}）`,
  languageAbout: "页面本身的语言。模型会用你书写的语言回答。",
} satisfies typeof en;
