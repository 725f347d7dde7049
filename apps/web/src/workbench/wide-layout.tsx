import { Group, Panel, Separator } from "react-resizable-panels";
import { useKeptLayout } from "../ui/use-kept-layout.ts";
import { Conversation } from "../conversation/conversation.tsx";
import { WorkArea } from "./work-area.tsx";

/** Conversation and work side by side. */
export function WideLayout() {
  const layout = useKeptLayout("panes");
  return (
    <Group {...layout} orientation="horizontal" className="h-full">
      <Panel id="conversation" defaultSize="36%" minSize={320}>
        <Conversation />
      </Panel>
      <Separator className="w-px bg-line outline-offset-0 transition-colors duration-(--appear) hover:bg-accent data-[separator=active]:bg-accent data-[separator=hover]:bg-accent" />
      <Panel id="work" minSize={360}>
        <WorkArea />
      </Panel>
    </Group>
  );
}
