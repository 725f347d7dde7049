/**
 * Public hosts that serve the same files to everyone and do not show requests to anyone: a page
 * cannot use them to pass on data. Excludes hosts with accounts whose owner sees the requests (such
 * as font kits).
 */

/** Hosts of fonts that builds download. */
export const FONT_HOSTS = ["fonts.googleapis.com", "fonts.gstatic.com"] as const;

export const STATIC_HOSTS: readonly string[] = [
  ...FONT_HOSTS,
  // Fonts.
  "fonts.bunny.net",
  "api.fontshare.com",
  "cdn.fontshare.com",
  "rsms.me",
  // npm packages, and common scripts.
  "cdn.jsdelivr.net",
  "unpkg.com",
  "esm.sh",
  "esm.run",
  "cdn.skypack.dev",
  "ga.jspm.io",
  "cdnjs.cloudflare.com",
  "cdn.tailwindcss.com",
  "ajax.googleapis.com",
  "code.jquery.com",
  "stackpath.bootstrapcdn.com",
  "maxcdn.bootstrapcdn.com",
  // Placeholder pictures.
  "images.unsplash.com",
  "plus.unsplash.com",
  "images.pexels.com",
  "picsum.photos",
  "fastly.picsum.photos",
  "placehold.co",
  "via.placeholder.com",
  "dummyimage.com",
  "i.pravatar.cc",
  "api.dicebear.com",
  "ui-avatars.com",
  "upload.wikimedia.org",
];
