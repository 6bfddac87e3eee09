package dev.chargehand.testkit.provider;

/** Say which end of a connection closed it first. */
public enum Side {
    CLIENT,
    PROVIDER
}
