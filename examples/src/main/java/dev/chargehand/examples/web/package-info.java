/** Agents inside a web application: answers as they are written, and an inbox for approvals. */
@NullMarked
package dev.chargehand.examples.web;

import org.jspecify.annotations.NullMarked;
