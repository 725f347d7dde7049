import { AccountFrame } from "../account/account-frame.tsx";
import { InvitationSection } from "./invitation-section.tsx";
import { PersonList } from "./person-list.tsx";
import { TeamSection } from "./team-section.tsx";

/** Everybody with an account, open invitations, and teams. For administrators. */
export function PeoplePage() {
  return (
    <AccountFrame at="/people">
      <PersonList />
      <InvitationSection />
      <TeamSection />
    </AccountFrame>
  );
}
