import { AccountFrame } from "./account-frame.tsx";
import { AuthenticatorSection } from "./authenticator-section.tsx";
import { IdentitySection } from "./identity-section.tsx";
import { ProviderSection } from "./provider-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { ModelKeysSection } from "./model-keys-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TokensSection } from "./tokens-section.tsx";
import { words } from "../words/words.ts";

/** The person's own account: who they are, how they sign in, and where they are signed in. */
export function AccountPage() {
  return (
    <AccountFrame at="/account">
      <IdentitySection />
      <PasskeysSection />
      <AuthenticatorSection />
      <ProviderSection />
      <ModelKeysSection title={words.limits.ownKeys} about={words.limits.ownKeysAbout} />
      <SessionsSection />
      <TokensSection />
    </AccountFrame>
  );
}
