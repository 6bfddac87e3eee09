package dev.chargehand.run;

import dev.chargehand.error.ConfigurationException;

/** Names a run, for ever and across processes. */
public record RunId(String value) {

    public RunId {
        if (value.isBlank()) {
            throw new ConfigurationException("A run id must not be blank.");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
