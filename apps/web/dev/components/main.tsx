/** Every component in every state, for developers: `npx vite apps/web`, then /dev/components. Not part of the build. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import "../../src/styles.css";
import { loadMarkdown } from "../../src/conversation/markdown.tsx";
import { loadLaterWords, startWords } from "../../src/words/words.ts";
import { PARTS } from "./parts.tsx";

// Requests never complete, so each component shows the data that it was given.
window.fetch = () => new Promise(() => {});
const asked = new URLSearchParams(location.search);
await startWords(undefined, [asked.get("language") ?? "en"]);
await loadLaterWords();
await loadMarkdown();
document.documentElement.dataset["theme"] = asked.get("theme") ?? "light";
const only = asked.get("only");
const parts = Object.entries(PARTS).filter(([name]) => only === null || name === only);

/** Renders a component in isolation, so that its effects do not affect the others. */
function show(place: Element, part: () => ReactNode): void {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  // One route, with its address in memory: wherever a link leads, the component stays shown.
  const router = createRouter({
    routeTree: createRootRoute({ component: part }),
    history: createMemoryHistory(),
  });
  createRoot(place).render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

createRoot(document.getElementById("root")!).render(
  <main className="p-4">
    <h1 className="text-title font-semibold">Components</h1>
    {parts.map(([name, part]) => (
      <section key={name} aria-label={name} className="border-t border-line py-4">
        <h2 className="mb-2 text-small text-quiet">{name}</h2>
        <div
          data-part={name}
          style={{ width: 640 }}
          className="relative"
          ref={(place) => {
            if (place && place.childElementCount === 0) show(place, part);
          }}
        />
      </section>
    ))}
  </main>,
);
