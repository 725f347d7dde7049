import type { FileBody } from "@treadle/protocol";
import { isSqliteFile } from "@treadle/protocol/project-path";
import { Download } from "../ui/icons.ts";
import { rawAddress } from "../api/files.ts";
import { useProjectId } from "../live/live-context.tsx";
import { openDatabases } from "../project/databases-store.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { formatBytes } from "../ui/format.ts";
import { FontSample } from "./font-sample.tsx";
import { LongFile } from "./long-file.tsx";
import { visibleName } from "./tree.ts";
import { words } from "../words/words.ts";

/** File types that the server sends as pictures. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|ico)$/i;
const FONT = /\.(?:woff2?|ttf|otf)$/i;
const PDF = /\.pdf$/i;

const SOUND = /\.(?:mp3|wav|ogg|oga|opus|m4a|aac|flac)$/i;
const FILM = /\.(?:mp4|webm|ogv|mov|m4v)$/i;

/**
 * A file that cannot be edited here. Pictures, fonts, sounds and films are shown, a long text is shown in parts, and
 * anything else can be downloaded.
 */
export default function OtherFile({ body }: { body: FileBody }) {
  const project = useProjectId();
  const { path, size, binary, version } = body;
  const address = rawAddress(project, path);
  if (!binary) return <LongFile body={body} />;
  const download = (
    <a href={address} download className={buttonClass()}>
      <Download size={14} aria-hidden="true" /> {words.files.download}
    </a>
  );
  if (PICTURE.test(path))
    return (
      <figure className="m-0 flex min-h-0 flex-1 flex-col items-center gap-3 overflow-auto p-4">
        {/* Each version has its own URL, so the browser does not show a cached one. */}
        <img
          src={`${address}&version=${encodeURIComponent(version)}`}
          alt={visibleName(path)}
          className="max-h-full max-w-full rounded border border-line object-contain"
        />
        <figcaption className="flex items-center gap-3 text-small text-quiet">
          {formatBytes(size)} {download}
        </figcaption>
      </figure>
    );
  if (PDF.test(path) && navigator.pdfViewerEnabled)
    return (
      <figure className="m-0 flex min-h-0 flex-1 flex-col">
        <iframe
          key={version}
          title={visibleName(path)}
          src={`${address}&shown=1&version=${encodeURIComponent(version)}`}
          className="min-h-0 w-full flex-1"
        />
        <figcaption className="flex items-center gap-3 border-t border-line px-4 py-2 text-small text-quiet">
          {formatBytes(size)} {download}
        </figcaption>
      </figure>
    );
  if (FONT.test(path))
    return (
      <FontSample key={version} address={address}>
        {formatBytes(size)} {download}
      </FontSample>
    );
  if (SOUND.test(path) || FILM.test(path)) {
    const labels = {
      key: version,
      controls: true,
      preload: "metadata",
      src: `${address}&version=${encodeURIComponent(version)}`,
      "aria-label": visibleName(path),
    } as const;
    const { key, ...media } = labels;
    return (
      <figure className="m-0 flex min-h-0 flex-1 flex-col items-center gap-3 overflow-auto p-4">
        {FILM.test(path) ? (
          <video
            key={key}
            {...media}
            className="max-h-full max-w-full rounded border border-line"
          />
        ) : (
          <audio key={key} {...media} className="w-full max-w-100" />
        )}
        <figcaption className="flex items-center gap-3 text-small text-quiet">
          {formatBytes(size)} {download}
        </figcaption>
      </figure>
    );
  }
  if (isSqliteFile(path))
    return (
      <p className="flex items-center gap-3 p-4 text-quiet">
        {words.files.notText({ size: formatBytes(size) })}{" "}
        <Button onClick={() => openDatabases(path)}>{words.databases.open}</Button> {download}
      </p>
    );
  return (
    <p className="flex items-center gap-3 p-4 text-quiet">
      {(PDF.test(path) ? words.files.pdf : words.files.notText)({ size: formatBytes(size) })}{" "}
      {download}
    </p>
  );
}
