package dev.chargehand.internal.journal;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.stored.FactForm;
import dev.chargehand.internal.journal.stored.StoredFact;
import dev.chargehand.store.FactEntry;

/**
 * Writes facts for a store and reads them back.
 *
 * <p>Every type of fact has a {@link FactForm}; the name in the data only ever chooses from this list. A form that is
 * not known - written by a later version - is rejected, never guessed at.
 */
public final class FactCodec {

    private static final int FIRST = 1;

    private FactCodec() {}

    /** Write a fact; its text is made when the store asks for it. */
    public static FactEntry write(Fact fact) {
        FactForm form = FactForm.of(fact);
        return FactEntry.lazy(form.key(), form.version(), fact, each -> StoredJson.write(StoredFact.of(each)));
    }

    /**
     * Read a fact.
     *
     * @throws StoreException {@code UNREADABLE} if its type or version is not known, or its text is damaged
     */
    public static Fact read(FactEntry entry) {
        FactForm form = FactForm.of(entry.type()).orElseThrow(() -> unknown(entry.type()));
        if (entry.version() < FIRST || entry.version() > form.version()) {
            throw unreadable("A fact '" + entry.type() + "' has version " + entry.version()
                    + ", but this Chargehand reads version " + form.version()
                    + "; use the version that wrote it, or a later one.");
        }
        try {
            return StoredJson.read(entry.text(), form, entry.version()).toFact();
        } catch (RuntimeException e) { // of the JSON library, or of a value that rejects its parts
            throw new StoreException(
                    StoreException.Kind.UNREADABLE, "A stored fact '" + entry.type() + "' is damaged.", e);
        }
    }

    private static StoreException unknown(String type) {
        return unreadable("A stored fact has the type '" + type
                + "', which this Chargehand does not know; use the version that wrote it.");
    }

    private static StoreException unreadable(String message) {
        return new StoreException(StoreException.Kind.UNREADABLE, message, null);
    }
}
