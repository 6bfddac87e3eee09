package dev.chargehand.provider.stream;

/**
 * A piece of a tool call, as one event brings it.
 *
 * @param index the provider's number of the call; {@link #NO_INDEX} if it gave none
 * @param id the provider's id; empty if it gave none here
 * @param name the tool's name; empty if it does not stand here
 * @param arguments more of the arguments; may be empty
 */
public record CallFragment(int index, String id, String name, String arguments) {

    /** Of a call that the provider gave no number. */
    public static final int NO_INDEX = -1;
}
