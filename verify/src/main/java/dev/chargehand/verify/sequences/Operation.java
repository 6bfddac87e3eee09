package dev.chargehand.verify.sequences;

import java.util.concurrent.Callable;

/**
 * One thing that an application does.
 *
 * @param name how it is called in a trace
 * @param body does it, and returns what the application receives; what it throws is compared too
 */
record Operation(String name, Callable<Object> body) {}
