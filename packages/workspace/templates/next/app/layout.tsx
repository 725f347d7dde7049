import type { Metadata } from "next";
import type { ReactNode } from "react";
// Fonts: next/font/google asks its server at build time, which a sandbox does not let out. Import "@fontsource/…" here.
import "./globals.css";

export const metadata: Metadata = {
  title: "App",
  icons: { icon: "data:," },
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
