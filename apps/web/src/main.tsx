import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { router } from "./router.tsx";
import "./styles.css";
import { startBeat } from "./ui/beat.ts";
import { restoreTheme } from "./ui/theme.ts";
import { storedLanguage } from "./ui/language.ts";
import { startWords } from "./words/words.ts";

restoreTheme();
startBeat();
const spoken = startWords(storedLanguage(), navigator.languages);
// Loads the route together with the texts and draws once both are available: if a page first renders nothing, React delays
// its contents by 300 ms.
const opened = router.load();

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");
const root = createRoot(element);
const show = () =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
Promise.all([spoken, opened]).then(show, () => {
  // Not translated, because no texts could be loaded.
  element.textContent = "Treadle could not load this page. Load it again.";
});
