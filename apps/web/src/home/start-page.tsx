import { useMayOnServer } from "../api/account.ts";
import { words } from "../words/words.ts";
import { HomeHeader } from "./home-header.tsx";
import { HomePage } from "./home-page.tsx";
import { ProjectList } from "./project-list.tsx";
import { SettingsPlace } from "../settings/settings-place.tsx";

/** The first page: a prompt and the projects; for guests, who may not create projects, only the list. */
export function StartPage() {
  if (useMayOnServer("projects.create")) return <HomePage />;
  return (
    <div className="h-full overflow-y-auto">
      <SettingsPlace />
      <HomeHeader />
      <main id="main" tabIndex={-1} className="mx-auto max-w-193 px-4 pt-[9vh] pb-10 outline-none">
        <h1 className="text-title font-semibold">{words.home.yours}</h1>
        <p className="mt-1 text-quiet">{words.home.onlyOthers}</p>
        <ProjectList />
      </main>
    </div>
  );
}
