import { connectLocal } from "@treadle/client/local";

const treadle = connectLocal();
const project = await treadle.createProject();
const run = await project.run("Build a page that shows the time in five cities");
for await (const { event } of run.events()) if (event.type === "call-end") console.log(event.title);
const { outcome, question } = await run.result();
if (outcome === "waiting") console.log("It asks:", question);
const { verdict, reason } = (await project.verdict()) ?? { verdict: "unknown" };
console.log(verdict, reason);
