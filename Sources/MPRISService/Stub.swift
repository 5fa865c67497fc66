// MPRISService
