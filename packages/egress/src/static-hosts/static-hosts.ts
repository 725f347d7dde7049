/**
 * Public hosts that give everybody the same files and tell nobody who asked: what is asked of them can be read back by no
 * one whom a page could want to tell something. None with accounts whose owner sees the requests (kits of fonts, for one).
 */

/** Where fonts come from while an app is built. */
export const FONT_HOSTS = ["fonts.googleapis.com", "fonts.gstatic.com"] as const;

export const STATIC_HOSTS: readonly string[] = [
  ...FONT_HOSTS,
  // Fonts.
  "fonts.bunny.net",
  "api.fontshare.com",
  "cdn.fontshare.com",
  "rsms.me",
  // npm's packages, and scripts that everybody takes.
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
  // Pictures to begin with.
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
