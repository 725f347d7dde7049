import { Group, Panel } from "react-resizable-panels";
import { Splitter } from "../ui/splitter.tsx";
import { useStoredLayout } from "../ui/use-stored-layout.ts";
import { Conversation } from "../conversation/conversation.tsx";
import { words } from "../words/words.ts";
import { WorkArea } from "./work-area.tsx";

/** The conversation and the work side by side. */
export function WideLayout() {
  const layout = useStoredLayout("panes");
  return (
    <Group {...layout} orientation="horizontal" className="h-full">
      <Panel id="conversation" defaultSize="36%" minSize={320}>
        <Conversation />
      </Panel>
      <Splitter name={words.workbench.splitters.chat} />
      <Panel id="work" minSize={360}>
        <WorkArea />
      </Panel>
    </Group>
  );
}
