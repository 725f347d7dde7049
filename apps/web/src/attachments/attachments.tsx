import { visible } from "@treadle/protocol/safe-text";
import { FileInput, FileText, X } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { formatBytes } from "../ui/format.ts";
import { placeFor } from "./place-name.ts";
import type { DraftFile } from "./place-files.ts";
import type { Attachments } from "./use-attachments.ts";
import { words } from "../words/words.ts";

/** The message's attachments: pictures for the model, and files for the project. */
export default function Attached({ attachments }: { attachments: Attachments }) {
  const { pictures, files } = attachments;
  return (
    <>
      {pictures.length > 0 && (
        <ul aria-label={words.attachments.pictures} className="flex flex-wrap gap-2 px-3 pt-2">
          {pictures.map(({ id, name, url }) => (
            <li key={id} className="flex items-start rounded border border-line">
              <img src={url} alt={visible(name)} className="h-14 max-w-28 rounded object-cover" />
              <span className="flex flex-col">
                <IconButton
                  name={words.attachments.remove({ name: visible(name) })}
                  onClick={() => attachments.removePicture(id)}
                >
                  <X size={14} aria-hidden="true" />
                </IconButton>
                <IconButton
                  name={words.attachments.asFile({ name: visible(name) })}
                  onClick={() => attachments.asFile(id)}
                >
                  <FileInput size={14} aria-hidden="true" />
                </IconButton>
              </span>
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <ul
          aria-label={words.attachments.files}
          className="flex max-h-32 flex-wrap gap-1.5 overflow-y-auto px-3 pt-2 text-small"
        >
          {files.map((file) => (
            <FileChip key={file.id} file={file} onRemove={() => attachments.removeFile(file.id)} />
          ))}
        </ul>
      )}
    </>
  );
}

function FileChip({ file, onRemove }: { file: DraftFile; onRemove: () => void }) {
  const { path, content, placed, share, problem } = file;
  const place = visible(placed ?? placeFor(path));
  const state =
    problem !== undefined
      ? words.attachments.notUploaded
      : share !== undefined
        ? `${Math.floor(share * 100)} %`
        : formatBytes(content.size);
  return (
    <li
      title={problem ?? words.attachments.goesTo({ place })}
      className={`relative flex max-w-full items-center gap-1.5 overflow-hidden rounded border pl-2 ${
        problem === undefined ? "border-line" : "border-failed"
      }`}
    >
      {share !== undefined && (
        <span
          role="progressbar"
          aria-label={words.attachments.uploading({ place })}
          aria-valuenow={Math.floor(share * 100)}
          className="absolute inset-y-0 left-0 bg-hover"
          style={{ width: `${share * 100}%` }}
        />
      )}
      <FileText size={14} aria-hidden="true" className="relative shrink-0 text-quiet" />
      <span className="relative min-w-0 truncate font-mono">{place}</span>
      <span
        className={`numbers relative shrink-0 ${problem === undefined ? "text-quiet" : "text-failed"}`}
      >
        {state}
      </span>
      <IconButton
        name={words.attachments.remove({ name: place })}
        className="relative"
        onClick={onRemove}
      >
        <X size={14} aria-hidden="true" />
      </IconButton>
    </li>
  );
}
