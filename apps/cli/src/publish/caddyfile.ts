import { connectLocal } from "@treadle/client/local";
import { EXIT } from "../terminal/exit-status.ts";

/** `treadle caddyfile`: prints Caddy's configuration for published domains. */
export async function caddyfile({ data: folder }: { data?: string | undefined }): Promise<number> {
  const { data } = await connectLocal(folder).api.GET("/api/caddyfile");
  process.stdout.write(data!.caddyfile);
  return EXIT.verified;
}
