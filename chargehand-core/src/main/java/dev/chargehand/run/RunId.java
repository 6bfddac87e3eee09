package dev.chargehand.run;

import dev.chargehand.error.ConfigurationException;

/** Names a run, for ever and across processes. */
public record RunId(String value) {

    public RunId {
        if (value == null || value.isBlank()) {
            throw new ConfigurationException("A run id must not be null or blank.");
        }
    }

    /**
     * Create an id from its text, for example one that a request or a stored record has.
     *
     * @throws ConfigurationException if the text is null or blank
     */
    public static RunId of(String value) {
        return new RunId(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
