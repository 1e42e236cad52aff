// RUN: pypto-opt %s --improve-precision=blacklist=exp,expo -verify-diagnostics

// expected-error @+1 {{option 'blacklist' of 'improve-precision' names 'expo', which is no operation of the asc dialect}}
module {
}
