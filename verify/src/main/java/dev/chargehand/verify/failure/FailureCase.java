package dev.chargehand.verify.failure;

/**
 * One run of the scenario.
 *
 * @param network whether the run is a network
 * @param nth which call of the part fails
 * @param streamed whether the run is watched, or waited for
 */
record FailureCase(boolean network, Part part, Fault fault, int nth, boolean streamed) {}
