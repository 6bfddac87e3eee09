package dev.chargehand.document;

import dev.chargehand.error.ChargehandException;
import java.util.List;
import java.util.stream.Collectors;

/** Reports everything that is wrong with an agents' file; thrown before anything is started. */
public final class DocumentException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    private final transient List<Mistake> mistakes;

    /** Create the exception with code {@code agents-file}; its message has a line for each mistake. */
    DocumentException(List<Mistake> mistakes) {
        super("agents-file", false, mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n")), null);
        this.mistakes = List.copyOf(mistakes);
    }

    /** Return the mistakes in the order of the file; at least one. */
    public List<Mistake> mistakes() {
        return mistakes;
    }
}
