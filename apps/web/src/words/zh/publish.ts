import type { publish as en } from "../en/publish.ts";
import { counted } from "./counted.ts";

export const publish = {
  publish: "发布",
  about:
    "已验证的文件会在单独的沙盒中构建，并在这台机器上以自己的地址提供访问。在您再次发布之前，它们保持不变。",
  address: "地址",
  copyAddress: "复制地址",
  name: "名称（可选）",
  namePlaceholder: "my-app",
  nameNote: "地址的第一部分：2 到 24 个小写字母、数字和连字符。",
  site: "其文件由 Treadle 提供。",
  apps: {
    asleep: "正在休眠，有人访问时会唤醒。",
    starting: "正在启动。",
    up: "正在运行。",
    failed: "无法启动。",
  },
  requests: (amount: number) => counted(amount, { other: "启动以来 # 次请求。" }),
  again: "发布这些文件",
  making: "正在准备",
  stands: "这些文件已发布。",
  releases: "版本",
  current: "已发布",
  goBack: "回到此版本",
  took: (time: string) => `用时 ${time}`,
  output: "输出内容",
  askFix: (said: string) => `发布失败：${said} 请修复。`,
  errors: "启动以来出现的错误",
  ofRelease: (number: number) => `版本 ${number}`,
  askFixError: (text: string) => `已发布的应用中：${text} 请找出原因并修复。`,
  domains: (amount: number) =>
    amount === 0 ? "自己的域名" : counted(amount, { other: "# 个域名" }),
  domain: "域名",
  domainPlaceholder: "shop.example.com",
  addDomain: "添加",
  remove: "移除",
  removeDomain: (domain: string) => `移除 ${domain}`,
  domainNote:
    "其 DNS 须指向这台机器，并由机器上的 Web 服务器转到 Treadle：“treadle caddyfile”会写出 Caddy 所需的配置。",
  takeDown: "下线",
  takeDownAsk: (name: string) => `要下线“${name}”吗？`,
  takeDownAbout: "之后无人可以访问。其各版本以及应用写入的内容会被删除；项目保持不变。",
} satisfies typeof en;
